"""Arrays as NumPy itself writes them, each with its values, into fixtures/npy.json."""
import base64
import io
import json
import pathlib
import zipfile

import numpy


def text(data):
    return base64.b64encode(data).decode()


def npy(array, **options):
    file = io.BytesIO()
    numpy.lib.format.write_array(file, array, **options)
    return text(file.getvalue())


cases = []
numbers = [0, 1, 2, 100, 127, 5]
for descr in ['|u1', '|i1', '<u2', '>u2', '<i2', '>i2', '<u4', '>u4', '<i4', '>i4', '<u8', '>u8', '<i8', '>i8']:
    values = numbers if 'u' in descr else [-v for v in numbers]
    cases.append({'descr': descr, 'shape': [2, 3], 'values': values, 'npy': npy(numpy.array(values, descr).reshape(2, 3))})
for descr in ['<f2', '>f2', '<f4', '>f4', '<f8', '>f8']:
    values = [0.5, -1.25, 2 ** -24, 65504.0, 1.0, -0.0009765625]
    cases.append({'descr': descr, 'shape': [6], 'values': values, 'npy': npy(numpy.array(values, descr))})
cases.append({'descr': '|b1', 'shape': [3], 'values': [1, 0, 1], 'npy': npy(numpy.array([True, False, True]))})
cases.append({'descr': '<f8', 'shape': [], 'values': [3.5], 'npy': npy(numpy.array(3.5))})
cases.append({'descr': '<f4', 'shape': [0, 28], 'values': [], 'npy': npy(numpy.zeros((0, 28), 'float32'))})
cube = numpy.arange(24).reshape(2, 3, 4)
cases.append({'descr': '<i4 Fortran', 'shape': [2, 3, 4], 'values': cube.ravel().tolist(),
              'npy': npy(numpy.asfortranarray(cube.astype('int32')))})
for version in [(2, 0), (3, 0)]:
    cases.append({'descr': f'<i4 version {version[0]}', 'shape': [4], 'values': [1, 2, 3, 4],
                  'npy': npy(numpy.array([1, 2, 3, 4], 'int32'), version=version)})
words = ['cat', '', 'naïve', '猫🐈']
for descr in ['<U5', '>U5']:
    cases.append({'descr': descr, 'shape': [2, 2], 'values': words, 'npy': npy(numpy.array(words, descr).reshape(2, 2))})
cases.append({'descr': '|S3', 'shape': [2], 'values': ['ab', 'cde'], 'npy': npy(numpy.array([b'ab', b'cde']))})

refused = {
    'objects': npy(numpy.array([{}, None], object), allow_pickle=True),
    'fields': npy(numpy.array([(1, 2.0)], [('a', 'i4'), ('b', 'f8')])),
    'complex': npy(numpy.array([1j])),
    'dates': npy(numpy.array(['2020-01-01'], 'datetime64[D]')),
}

archives = {}
for name, save in [('stored', numpy.savez), ('deflated', numpy.savez_compressed)]:
    file = io.BytesIO()
    save(file, images=cube.astype('uint8'), labels=numpy.array([1, 0]))
    archives[name] = text(file.getvalue())
zipfile.ZIP64_LIMIT = 10
file = io.BytesIO()
numpy.savez_compressed(file, images=cube.astype('uint8'), labels=numpy.array([1, 0]))
archives['zip64'] = text(file.getvalue())

fixture = {'source': f'NumPy {numpy.__version__}', 'cases': cases, 'refused': refused, 'archives': archives}
target = pathlib.Path(__file__).parent.parent / 'src/data/fixtures/npy.json'
target.write_text(json.dumps(fixture) + '\n')
