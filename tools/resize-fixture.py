"""Resizes small random float images with PIL's bilinear filter (antialiased when shrinking) into fixtures/resize.json."""
import json
import pathlib

import numpy
import PIL
from PIL import Image

random = numpy.random.RandomState(20)
cases = []
for height, width, to_height, to_width in [(7, 7, 8, 8), (7, 5, 16, 11), (12, 16, 5, 7), (9, 6, 4, 12), (1, 3, 2, 6)]:
    image = random.rand(height, width).astype('float32')
    resized = Image.fromarray(image, mode='F').resize((to_width, to_height), Image.BILINEAR)
    cases.append({
        'height': height, 'width': width, 'toHeight': to_height, 'toWidth': to_width,
        'image': [round(float(v), 7) for v in image.ravel()],
        'resized': [round(float(v), 7) for v in numpy.asarray(resized).ravel()],
    })
fixture = {'source': f'PIL {PIL.__version__}, Image.resize(BILINEAR) on mode F', 'cases': cases}
target = pathlib.Path(__file__).parent.parent / 'src/data/fixtures/resize.json'
target.write_text(json.dumps(fixture) + '\n')
