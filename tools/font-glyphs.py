"""Writes the glyph table that src/drawing draws its text with, from an outline font.

    /usr/bin/python3 tools/font-glyphs.py Inter-Regular.woff2 Inter-SemiBold.woff2 LICENSE.txt src/drawing/glyphs.ts

from the npm package inter-ui 4.1.1 (its folder web/ and its licence).

Each glyph becomes [advance, path] in thousandths of an em, the path being SVG's relative commands with y down, so that
the same string serves the SVG and the rasteriser. Digits take the font's tabular forms, so that columns of numbers stand
in line. Kerning is kept for pairs of printable ASCII. Needs fontTools (and brotli for .woff2).
"""

import sys

from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont

RANGES = [
    (0x20, 0x7E), (0xA0, 0xAC), (0xAE, 0x148), (0x14A, 0x17F), (0x218, 0x21B), (0x386, 0x38A), (0x38C, 0x38C),
    (0x38E, 0x3A1), (0x3A3, 0x3CE), (0x3D1, 0x3D1), (0x3D5, 0x3D6), (0x3F5, 0x3F5),
    (0x401, 0x401), (0x404, 0x404), (0x406, 0x407), (0x410, 0x44F), (0x451, 0x451), (0x454, 0x454), (0x456, 0x457),
    (0x2009, 0x2009), (0x2013, 0x2014), (0x2018, 0x201E), (0x2020, 0x2022), (0x2026, 0x2026), (0x2030, 0x2030),
    (0x2032, 0x2033), (0x2070, 0x2071), (0x2074, 0x208E), (0x20AC, 0x20AC), (0x2113, 0x2113), (0x2190, 0x2195),
    (0x21D2, 0x21D2), (0x2202, 0x2202), (0x2205, 0x2206), (0x220F, 0x220F), (0x2211, 0x2212), (0x221A, 0x221A),
    (0x221E, 0x221E), (0x2248, 0x2248), (0x2260, 0x2260), (0x2264, 0x2265),
    (0x25A0, 0x25A1), (0x25B2, 0x25B2), (0x25CB, 0x25CB), (0x25CF, 0x25CF), (0x2713, 0x2713),
]


class PathPen(BasePen):
    """Collects a glyph as relative commands with whole numbers; deltas are taken between rounded points, so that
    rounding does not add up."""

    def __init__(self, glyphs, scale):
        super().__init__(glyphs)
        self.scale, self.out, self.at, self.start = scale, [], (0, 0), (0, 0)

    def point(self, p):
        return round(p[0] * self.scale), round(-p[1] * self.scale)

    def delta(self, p):
        return f"{p[0] - self.at[0]} {p[1] - self.at[1]}"

    def _moveTo(self, p):
        p = self.point(p)
        self.out.append("m" + self.delta(p))
        self.at = self.start = p

    def _lineTo(self, p):
        p = self.point(p)
        if p != self.at:
            self.out.append("l" + self.delta(p))
            self.at = p

    def _qCurveToOne(self, control, p):
        control, p = self.point(control), self.point(p)
        self.out.append(f"q{self.delta(control)} {self.delta(p)}")
        self.at = p

    def _curveToOne(self, *points):
        sys.exit("This font has cubic outlines; the table holds quadratic ones.")

    def _closePath(self):
        self.out.append("z")
        self.at = self.start


def tabular(font):
    """The substitution of proportional by tabular forms, from the feature `tnum`."""
    if "GSUB" not in font:
        return {}
    table = font["GSUB"].table
    found = {}
    for record in table.FeatureList.FeatureRecord:
        if record.FeatureTag != "tnum":
            continue
        for index in record.Feature.LookupListIndex:
            for sub in table.LookupList.Lookup[index].SubTable:
                sub = getattr(sub, "ExtSubTable", sub)
                found.update(getattr(sub, "mapping", {}))
    return found


def kerning(font, names):
    """{(left, right): em/1000} among `names` (glyph → character): the first subtable that covers a pair decides."""
    table = font["GPOS"].table
    lookups = []
    for record in table.FeatureList.FeatureRecord:
        if record.FeatureTag == "kern":
            lookups += [i for i in record.Feature.LookupListIndex if i not in lookups]
    scale = 1000 / font["head"].unitsPerEm
    pairs = {}
    for index in lookups:
        decided = set()
        for sub in table.LookupList.Lookup[index].SubTable:
            sub = getattr(sub, "ExtSubTable", sub)
            if sub.LookupType != 2:
                continue
            covered = [g for g in sub.Coverage.glyphs if g in names]
            for left in covered:
                for right in names:
                    if (left, right) in decided:
                        continue
                    value = None
                    if sub.Format == 1:
                        for record in sub.PairSet[sub.Coverage.glyphs.index(left)].PairValueRecord:
                            if record.SecondGlyph == right:
                                value = record.Value1
                                decided.add((left, right))
                    else:
                        first = sub.ClassDef1.classDefs.get(left, 0)
                        second = sub.ClassDef2.classDefs.get(right, 0)
                        value = sub.Class1Record[first].Class2Record[second].Value1
                        decided.add((left, right))
                    advance = round(getattr(value, "XAdvance", 0) * scale) if value else 0
                    if abs(advance) >= 8:
                        pairs[names[left], names[right]] = advance
    return pairs


def weight(path, name):
    font = TTFont(path)
    cmap, digits, glyphs = font.getBestCmap(), tabular(font), font.getGlyphSet()
    scale = 1000 / font["head"].unitsPerEm
    lines, missing, names = [], [], {}
    for first, last in RANGES:
        for code in range(first, last + 1):
            if code not in cmap:
                missing.append(code)
                continue
            glyph = cmap[code]
            if 0x20 < code < 0x7F:
                names[glyph] = chr(code)
            # Tabular forms of the figures and the signs among them; a tabular space would be wide between words.
            glyph = digits.get(glyph, glyph) if chr(code) in "0123456789" else glyph
            pen = PathPen(glyphs, scale)
            glyphs[glyph].draw(pen)
            lines.append(f"{code:x}:{round(glyphs[glyph].width * scale)}:{''.join(pen.out)}")
    pairs = kerning(font, {g: c for g, c in names.items() if not c.isdigit()})
    grouped = {}
    for (left, right), shift in sorted(pairs.items()):
        grouped.setdefault((ord(left), shift), []).append(f"{ord(right):x}")
    kern = [f"{left:x}:{shift}:{','.join(rights)}" for (left, shift), rights in sorted(grouped.items())]
    print(name, len(lines), "glyphs,", len(pairs), "kerning pairs, missing", [hex(c) for c in missing], file=sys.stderr)
    version = font["name"].getDebugName(5)
    table = "\n".join([f"export const {name}: Face = {{", "  glyphs: `", *lines, "`,", "  kerning: `", *kern, "`,", "};", ""])
    return table, version


def main():
    regular, bold, licence, out = sys.argv[1:]
    tables, versions = [], []
    for path, name in ((regular, "regular"), (bold, "bold")):
        table, version = weight(path, name)
        tables.append(table)
        versions.append(version)
    family = TTFont(regular)["name"].getDebugName(1)
    head = [f"Outlines of {family} ({versions[0]}), written by tools/font-glyphs.py. Advances and paths are in thousandths of an em.",
            "", *[line.rstrip() for line in open(licence, encoding="utf-8")]]
    with open(out, "w", encoding="utf-8") as file:
        file.write("/**\n" + "\n".join(f" * {line}".rstrip() for line in head) + "\n */\n")
        file.write("""
/** One weight of the typeface, as lines of fields with colons between them; characters are code points in hexadecimal. */
export interface Face {
  /** character:advance:outline, the outline in relative SVG commands, y down, the baseline at 0. */
  glyphs: string;
  /** left character:shift:right characters, for pairs that stand nearer than others. */
  kerning: string;
}

""")
        file.write("\n".join(tables))


main()
