#!/usr/bin/env python3
"""Writes what operations on decimal128 numbers result in, one case per line, as Python computes it.

Usage: make-decimal-vectors.py [random cases per operation] [seed] > vectors.txt

A line is the operation, its operands and the result, separated by "|". The result of "parse" is
followed by whether it is exact; "double" results in the nearest binary number of 64 bits.
"""

import decimal
import random
import sys

CONTEXT = decimal.Context(
    prec=34, Emin=-6143, Emax=6144, clamp=1, rounding=decimal.ROUND_HALF_EVEN, traps=[])
NINES = "9" * 34

# Rounding ties and their neighbours, the ends of the range, subnormal numbers, zeros, NaN.
EDGES = [
    "0", "-0", "0E+3", "-0E-7", "0E+6111", "0E-6176", "1", "-1", "1.0", "1.50", "-1.5", "10", "1E+1",
    "2", "3", "7", "-3", "0.1", "0.5", "1E-6176", "-1E-6176", "5E-6176", "9E-6176", "1E-6175",
    "1E-6143", "9.99E-6144", "1E-3088", "3E-3089", "1E+3072", "1E+33", "1E+34", "1E+35", "1E-34",
    "5E-34", "5E-35", "4.9E-34", "1E+6111", "1E+6144", "-1E+6144", NINES, "-" + NINES,
    NINES + "E+6111", "-" + NINES + "E+6111", NINES + "E-6176", "1." + "0" * 33, "1E-33",
    "1." + "0" * 32 + "1", "5" * 34, "3." + "3" * 33, "6." + "6" * 32 + "7", "0.000001", "0.0000001",
    "Infinity", "-Infinity", "NaN",
]

TEXTS = [
    "1", "+1", "-1", "01", "000", "-000", ".5", "5.", "0.", "-.0", "1.50", "1e3", "1E3", "1E+3", "1e-3",
    "12.34E+5", "1E0", "1E-0", "1e+00012", "0.000001", "0.0000001", "0.00000010", "1234567E-13",
    "1234567E-12", "inf", "-Inf", "INFINITY", "nan", "NaN", "sNaN", "NaN123", "1E+6144", "1E+6145",
    "-1E+6145", "10E+6144", "9.99E+6144", "1E-6176", "1E-6177", "5E-6177", "6E-6177", "15E-6177",
    "25E-6177", "-5.1E-6177", "1E-99999999999999999999", "1E+99999999999999999999",
    "0E+99999999999999999999", "0E-99999999999999999999", "0E+6112", "0E-6177", "1E+6111", "1E+6112",
    NINES, NINES + "4", NINES + "5", NINES + "E+6111", NINES + ".4E+6111", NINES + ".5E+6111",
    "1" * 34, "1" * 35, "1" * 60, "0." + "0" * 40 + "1", "1" + "0" * 33, "1" + "0" * 34,
    "1" + "0" * 50, "1" + "0" * 33 + ".5", "1" + "0" * 33 + ".5" + "0" * 20 + "1",
    "1" + "0" * 32 + "1.5", "1" + "0" * 32 + "1.4" + "9" * 20, "0" * 50 + "12", "0" * 50 + ".12",
]


def number(text):
    return CONTEXT.create_decimal(text)


def random_text(rng):
    """A number whose digits and exponent are likely to make another one round."""
    digits = "".join(rng.choice(rng.choice(["0123456789", "09", "05"]))
                     for _ in range(rng.choice([1, 2, 5, 17, 33, 34, rng.randint(1, 34)])))
    exponent = rng.choice([
        0, -len(digits), rng.randint(-5, 5), rng.randint(-40, 40), rng.randint(-40, 40),
        rng.choice([-6176, 6111, -3088, 3072, -3055]) + rng.randint(-40, 40),
        rng.randint(-6176, 6111)])
    return rng.choice(["", "-"]) + digits + "E%+d" % exponent


def order(left, right):
    return str(CONTEXT.compare(left, right))


OPERATIONS = {
    "add": CONTEXT.add, "subtract": CONTEXT.subtract, "multiply": CONTEXT.multiply,
    "divide": CONTEXT.divide, "compare": order, "comparetotal": CONTEXT.compare_total,
    "min": CONTEXT.min, "max": CONTEXT.max,
}


def parse_line(text):
    CONTEXT.clear_flags()
    result = number(text)
    inexact = CONTEXT.flags[decimal.Inexact] or CONTEXT.flags[decimal.Overflow]
    # There is one NaN.
    return "parse|%s|%s|%s" % (
        text, "NaN" if result.is_nan() else result, "rounded" if inexact else "exact")


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    for text in TEXTS:
        print(parse_line(text))
    for _ in range(count):
        digits = "".join(rng.choice("0123456789") for _ in range(rng.randint(1, 45)))
        point = rng.randint(0, len(digits))
        exponent = rng.choice([0, rng.randint(-50, 50), rng.choice([-6176, 6111, 6144])])
        print(parse_line("%s.%sE%d" % (digits[:point], digits[point:], exponent)))
    for name, operation in OPERATIONS.items():
        pairs = [(rng.choice(EDGES), rng.choice(EDGES)) for _ in range(count)]
        pairs += [(rng.choice(EDGES), random_text(rng)) for _ in range(count // 3)]
        while len(pairs) < 2 * count:
            left, right = random_text(rng), random_text(rng)
            if rng.random() < 0.3:
                # Near each other, so that digits cancel and orders are close.
                right = str(CONTEXT.multiply(number(left), number(rng.choice(["1", "-1.0", "10"]))))
            pairs.append((left, right))
        for left, right in pairs:
            left, right = number(left), number(right)
            print("%s|%s|%s|%s" % (name, left, right, operation(left, right)))
    for _ in range(count):
        value = number(rng.choice([random_text(rng), "%rE%d" % (
            rng.uniform(0, 10), rng.randint(-330, 310))]))
        print("double|%s|%r" % (value, float(str(value))))


main()
