"""Over 100 000 texts on which counts of tokens are compared; the same ones on every run."""

from __future__ import annotations

import json
import random
import string
import sys
import unicodedata
import uuid
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# A sentence or two in each of 16 scripts, from which words are drawn.
PROSE = {
    "Latin": "It's what they'll need: we've seen you're here, I'd say he'S LATE and shE'Ll go.",
    "Latin, accents": "Où sont les élèves? Straße, Größe, İstanbul'da ılık; l'été, ação, ñandú.",
    "Greek": "Η γρήγορη καφέ αλεπού πηδά πάνω από τον τεμπέλη σκύλο· ἐν ἀρχῇ ἦν ὁ λόγος.",
    "Cyrillic": "Сколько участников у нас сейчас? Їжак, щастя, дружба и мир во всём мире.",
    "Hebrew": "כמה חברים יש לי עכשיו? בְּרֵאשִׁית בָּרָא אֱלֹהִים",
    "Arabic": "كم عدد الأعضاء لدي الآن؟ السَّلَامُ عَلَيْكُمْ ١٢٣٤٥٦٧",
    "Devanagari": "अभी मेरे कितने सदस्य हैं? क्षत्रिय श्रद्धा १२३४५",
    "Bengali": "এখন আমার কতজন সদস্য আছে? ১২৩",
    "Tamil": "இப்போது எனக்கு எத்தனை உறுப்பினர்கள் உள்ளனர்?",
    "Thai": "ตอนนี้ฉันมีสมาชิกกี่คนที่ใช้งานอยู่และจะต่ออายุเมื่อไหร่ ๑๒๓",
    "Georgian": "რამდენი წევრი მყავს ახლა? ქართული ენა",
    "Armenian": "Քանի՞ անդամ ունեմ հիմա։ Հայոց լեզու",
    "Ethiopic": "አሁን ስንት አባላት አሉኝ? ሰላም ለዓለም",
    "Hangul": "지금 활성 회원이 몇 명이나 있나요? 안녕하세요",
    "Japanese": "今アクティブな会員は何人いますか。プランを見せてください、一番大きいのは？",
    "Han": "我现在有多少活跃会员？請顯示我的計劃，最大的是哪一個。一二三",
}
EMOJI = [
    "😀",
    "👍🏽",
    "👨‍👩‍👧‍👦",
    "🏳️‍🌈",
    "🇩🇪",
    "❤️",
    "1️⃣",
    "🧑🏿‍🚀",
    "☃",
    "🫠",
    "👩‍❤️‍💋‍👨",
    "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
]
CODE = [
    "def main(argv: list[str]) -> int:\n    return 0\n",
    "for (int i=0;i<n;++i){a[i]+=b[i];}\n",
    "SELECT count(*) FROM users WHERE created_at >= now() - interval '7 days';\r\n",
    '<div class="row">\n\t<p>it\'s</p>\n</div>',
    '#!/bin/sh\nset -eu\ncurl -fsS "$URL" | jq .\n',
    "x = {'a': 1, \"b\": [None, True]}  # don't\n",
    "\\frac{a}{b}\\\\ \\alpha_{i}^{2}",
    "if(!x){throw new Error(`can't ${y}`);}",
    "|---|:-:|\n| a | b |\n",
    "$$\\ufeff$$",
    "<|endoftext|>",
    "<|im_start|>system\n",
    "a'sb't'LL'Ve'rE'D'M'T'ſ'K",
    "don''t '' 's ' s 'S",
    "\u2019s it\u2019s",
]
SPACE = " \t\n\r\v\f\u0085\u00a0\u1680\u2003\u2028\u2029\u202f\u205f\u3000"
ASSIGNED = [
    chr(code)
    for code in range(1, sys.maxunicode + 1)
    if unicodedata.category(chr(code)) not in ("Cn", "Cs", "Co")
]


def characters() -> Iterator[str]:
    """Each code point that text can hold but the unassigned planes, in company and alone."""
    for code in range(1, 0x30000):
        if not 0xD800 <= code <= 0xDFFF and code % 3 == 0:
            yield f" a{chr(code)}b "
    for code in range(0x30000, 0x110000, 997):
        yield f"{chr(code)}a {chr(code)}1"


def controls() -> Iterator[str]:
    for first in range(1, 0xA1):
        yield chr(first)
        yield f"a{chr(first)}'s{chr(first)} 12"


def words(source: random.Random) -> str:
    script = source.choice(list(PROSE.values())).split()
    return " ".join(source.choice(script) for _ in range(source.randint(1, 9)))


def combined(source: random.Random) -> str:
    marks = [chr(code) for code in range(0x300, 0x36F)]
    return "".join(
        source.choice(string.ascii_letters) + "".join(source.choices(marks, k=source.randint(0, 4)))
        for _ in range(source.randint(1, 12))
    )


def spaced(source: random.Random) -> str:
    pieces = ["a", "B", "1", "!", "'s", "é", "中", "٣", "¼", "²", "\u0301", ""]
    return "".join(
        source.choice(pieces) + "".join(source.choices(SPACE, k=source.randint(0, 4)))
        for _ in range(source.randint(1, 10))
    )


def identifier(source: random.Random) -> str:
    letters = string.ascii_letters + string.digits
    return source.choice(
        [
            str(uuid.UUID(int=source.getrandbits(128))),
            f"toolu_{''.join(source.choices(letters, k=24))}",
            f"{source.getrandbits(64):x}",
            str(source.uniform(-1e6, 1e6)),
            str(source.getrandbits(source.randint(1, 200))),
            "".join(source.choices(letters + "+/", k=source.randint(1, 90))),
            "".join(source.choices(string.ascii_lowercase, k=source.randint(1, 40))),
            "".join(source.choices(string.punctuation, k=source.randint(1, 12))),
        ]
    )


def document(source: random.Random) -> str:
    value = {
        words(source).split()[0]: words(source),
        "id": identifier(source),
        "created_at": f"2026-{source.randint(1, 12):02d}-03T10:00:00Z",
        "amount": round(source.uniform(0, 9999), 2),
        "tags": [words(source), source.choice(EMOJI), None, True],
    }
    return json.dumps(value, ensure_ascii=source.random() < 0.3, indent=source.choice([None, 2]))


def mixed(source: random.Random) -> str:
    return "".join(
        source.choice(
            [
                words(source),
                identifier(source),
                source.choice(EMOJI),
                source.choice(CODE),
                source.choice(SPACE),
                source.choice(ASSIGNED),
                combined(source),
                "'",
                '"',
                "\n",
            ]
        )
        for _ in range(source.randint(1, 6))
    )


def anything(source: random.Random) -> str:
    return "".join(source.choices(ASSIGNED, k=source.randint(1, 12)))


def lines() -> list[str]:
    """Lines as the block has them, from the cases."""
    folder = ROOT / "tests" / "data"
    golden = json.loads((folder / "golden_block.json").read_text(encoding="utf-8"))["block"]
    kinds = json.loads((folder / "summary_kinds.json").read_text(encoding="utf-8"))["cases"]
    found = [line for line in golden.splitlines() if line.startswith("- ")]
    found += [f'- 2026-05-12 a_tool(target="members"): {kind["summary"]}' for kind in kinds]
    return [f"{line}\n" for line in found]


def corpus() -> list[str]:
    source = random.Random(20260512)
    texts = ["", *lines(), *controls(), *characters(), *PROSE.values(), *EMOJI, *CODE]
    texts += ["a" * 300, " " * 300, "\n" * 200, "!" * 200, "中" * 150, "1" * 200, "ab" * 150]
    for make, count in (
        (words, 8000),
        (identifier, 8000),
        (document, 4000),
        (mixed, 10000),
        (anything, 8000),
        (combined, 3000),
        (spaced, 6000),
    ):
        texts += [make(source) for _ in range(count)]
    # As hypothesis makes them: short, and odd.
    alphabet = string.printable + "'sS\u017f\u212a\u0130\u00df\ufb01\u0345\u2028\ufeff\U0001f600"
    texts += ["".join(source.choices(alphabet, k=source.randint(1, 8))) for _ in range(10000)]
    return texts
