/** Shows decoded images: the picture itself, the one that was given, and the strip of a dimension. */

/** The values that become black and white; standardised values are shown within three deviations. */
const limits = { binary: [0, 1], unit: [0, 1], symmetric: [-1, 1], real: [-3, 3] };

export function imageView({ picture, strip, given }, { shape, range }) {
  const { height, width } = shape;
  const [low, high] = limits[range];
  const [decodedCanvas, stripCanvas, givenCanvas] = [
    picture.appendChild(document.createElement('canvas')),
    strip,
    given,
  ];
  decodedCanvas.setAttribute('role', 'img');
  decodedCanvas.setAttribute('aria-label', 'The picture that the model makes of the code');
  for (const canvas of [decodedCanvas, stripCanvas, givenCanvas])
    canvas.classList.toggle('pixels', Math.max(height, width) <= 96);

  function draw(canvas, items, count = 1, marked = -1) {
    const gap = Math.max(1, Math.round(width / 16));
    const mark = marked < 0 ? 0 : gap;
    canvas.width = (width + gap) * count - gap;
    canvas.height = height + 2 * mark;
    const context = canvas.getContext('2d');
    for (let i = 0; i < count; i++) context.putImageData(pixels(items, i), i * (width + gap), 0);
    context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--accent');
    context.fillRect(marked * (width + gap), height + mark, width, mark);
  }

  function pixels(items, index) {
    const image = new ImageData(width, height);
    const plane = height * width;
    const start = index * shape.channels * plane;
    for (let pixel = 0; pixel < plane; pixel++) {
      for (let colour = 0; colour < 3; colour++) {
        const value = items[start + (shape.channels === 3 ? colour : 0) * plane + pixel];
        image.data[4 * pixel + colour] = Math.round((255 * (value - low)) / (high - low));
      }
      image.data[4 * pixel + 3] = 255;
    }
    return image;
  }

  return {
    /** How many places of a dimension the strip shows. */
    places: 9,
    show: (items) => draw(decodedCanvas, items),
    showStrip(items, count, marked, caption) {
      draw(stripCanvas, items, count, marked);
      stripCanvas.setAttribute('aria-label', caption);
    },
    showGiven: (item) => draw(givenCanvas, item),
    /** A file's picture as the model takes it: its middle at the model's size, on white where it is transparent. */
    async read(file) {
      const bitmap = await createImageBitmap(file);
      const canvas = Object.assign(document.createElement('canvas'), { width, height });
      const context = canvas.getContext('2d', { willReadFrequently: true });
      const scale = Math.min(bitmap.width / width, bitmap.height / height);
      const [across, down] = [width * scale, height * scale];
      context.fillStyle = 'white';
      context.fillRect(0, 0, width, height);
      context.imageSmoothingQuality = 'high';
      const [left, top] = [(bitmap.width - across) / 2, (bitmap.height - down) / 2];
      context.drawImage(bitmap, left, top, across, down, 0, 0, width, height);
      bitmap.close();
      const { data } = context.getImageData(0, 0, width, height);
      const plane = height * width;
      const item = new Float32Array(shape.channels * plane);
      const scaled = (value) => low + (value / 255) * (high - low);
      for (let pixel = 0; pixel < plane; pixel++) {
        const [red, green, blue] = data.subarray(4 * pixel, 4 * pixel + 3);
        if (shape.channels === 1) item[pixel] = scaled(0.299 * red + 0.587 * green + 0.114 * blue);
        else for (const [c, value] of [red, green, blue].entries()) item[c * plane + pixel] = scaled(value);
      }
      return item;
    },
  };
}
