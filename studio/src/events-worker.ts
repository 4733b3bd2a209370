/** The hub as a worker that all pages of a browser share. */
import { EventsHub } from './events-hub.ts';

const hub = new EventsHub((address) => new EventSource(address));

addEventListener('connect', (event) => {
  if (!(event instanceof MessageEvent)) return;
  const [port] = event.ports;
  const hear = hub.join((message) => port.postMessage(message));
  port.addEventListener('message', ({ data }) => hear(data));
  port.start();
});
