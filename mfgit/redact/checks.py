"""Check digits and other arithmetic that tells a real number from one that only looks like it."""

import hashlib
import ipaddress
import re
from collections.abc import Sequence
from datetime import date

DIGITS = "0123456789"
CREDIT_CODE = "0123456789ABCDEFGHJKLMNPQRTUWXY"
"""The characters of a unified social credit code (GB 32100-2015), in the order of their values."""
PROVINCES = frozenset(
    map(
        str,
        (*range(11, 16), *range(21, 24), *range(31, 38), *range(41, 47), *range(50, 55), *range(61, 66), 71, 81, 82, 83, 91),
    )
)
"""The first two digits of a resident id (GB/T 2260)."""
VIN_VALUES = dict(zip("0123456789ABCDEFGHJKLMNPRSTUVWXYZ", map(int, "012345678912345678123457923456789"), strict=True))
VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
TAIWAN = "ABCDEFGHJKLMNPQRSTUVXYWZIO"
"""The letters of a Taiwanese id in the order of their numbers, from 10."""
BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
VERHOEFF = [
    "0123456789",
    "1234067895",
    "2340178956",
    "3401289567",
    "4012395678",
    "5987604321",
    "6598710432",
    "7659821043",
    "8765932104",
    "9876543210",
]
VERHOEFF_TURNS = [
    "0123456789",
    "1576283094",
    "5803796142",
    "8916043527",
    "9453126870",
    "4286573901",
    "2793806415",
    "7046913258",
]


def digits(text: str) -> str:
    """Return the ASCII digits of a text."""
    return "".join(character for character in text if character in DIGITS)


def weighted(numbers: str, weights: Sequence[int]) -> int:
    """Return the sum of digits times weights."""
    return sum(int(digit) * weight for digit, weight in zip(numbers, weights, strict=False))


def luhn(text: str) -> bool:
    """Check the last digit as ISO/IEC 7812 computes it."""
    numbers = [int(digit) for digit in reversed(digits(text))]
    doubled = (sum(divmod(2 * number, 10)) for number in numbers[1::2])
    return bool(numbers) and (sum(numbers[::2]) + sum(doubled)) % 10 == 0


def several(text: str) -> bool:
    """Tell whether the digits are not all the same one or two."""
    return len(set(digits(text))) > 2


def card(text: str) -> bool:
    """Accept a payment card: 13 to 19 digits of a known issuer range, Luhn."""
    numbers = digits(text)
    issuer = re.match(r"4|5[1-5]|2[2-7]|3[4-9]|30|6[0-9]|81|9[0-9]", numbers)
    return issuer is not None and 13 <= len(numbers) <= 19 and len(set(numbers)) > 1 and luhn(numbers)


def is_day(text: str) -> bool:
    """Tell whether eight digits are a day from 1900 on that is not in the far future."""
    try:
        return 1900 <= date(int(text[:4]), int(text[4:6]), int(text[6:8])).year < 2100
    except ValueError:
        return False


def resident_id(text: str) -> bool:
    """Accept a Chinese resident id of 18 characters (GB 11643-1999): day of birth, check character."""
    return (
        text[0] != "0"
        and is_day(text[6:14])
        and "10X98765432"[weighted(text[:17], (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)) % 11] == text[17].upper()
    )


def spaced_resident_id(text: str) -> bool:
    """Accept such an id with blanks, dots or hyphens between its parts."""
    return resident_id(re.sub(r"[-\s.]", "", text))


def old_resident_id(text: str) -> bool:
    """Accept a Chinese resident id of 15 digits: province and day of birth, no check digit."""
    return text[:2] in PROVINCES and is_day("19" + text[6:12])


def driving_file(text: str) -> bool:
    """Accept the number of a Chinese driving licence's file: twelve digits, the first four those of a city, no round number."""
    return text[:2] in PROVINCES and 1 <= int(text[2:4]) <= 90 and several(text) and not text.endswith("000")


def credit_code(text: str) -> bool:
    """Accept a unified social credit code of 18 characters: its check character."""
    total = sum(CREDIT_CODE.index(character) * pow(3, place, 31) for place, character in enumerate(text[:17]))
    return CREDIT_CODE[(31 - total % 31) % 31] == text[17] and several(text)


def hongkong_id(text: str) -> bool:
    """Accept a Hong Kong id: one or two letters, six digits, check character."""
    letters, check = re.sub(r"\d.*", "", text), text[-2]
    head = [36] if len(letters) == 1 else []
    values = head + [ord(letter) - 55 for letter in letters] + [int(digit) for digit in digits(text)[:6]]
    total = sum(value * weight for value, weight in zip(values, range(9, 1, -1), strict=True))
    return "0123456789A"[(11 - total % 11) % 11] == check


def taiwan_id(text: str) -> bool:
    """Accept a Taiwanese id: a letter, nine digits."""
    first = TAIWAN.index(text[0]) + 10
    return (first // 10 + first % 10 * 9 + weighted(text[1:], (8, 7, 6, 5, 4, 3, 2, 1, 1))) % 10 == 0


def vin(text: str) -> bool:
    """Accept a vehicle identification number (ISO 3779) with its check character."""
    total = sum(VIN_VALUES[character] * weight for character, weight in zip(text, VIN_WEIGHTS, strict=True))
    return "0123456789X"[total % 11] == text[8] and re.search(r"[A-Z]", text) is not None and len(digits(text)) >= 3


def iban(text: str) -> bool:
    """Accept an IBAN (ISO 13616)."""
    plain = text.replace(" ", "").replace("-", "")
    turned = plain[4:] + plain[:4]
    return 15 <= len(plain) <= 34 and int("".join(str(int(character, 36)) for character in turned)) % 97 == 1


def public_ip(text: str) -> bool:
    """Accept an IP address that belongs to somebody: no private, local or documentation range."""
    try:
        return ipaddress.ip_address(text).is_global
    except ValueError:
        return False


def base58_check(text: str) -> bool:
    """Accept a Bitcoin address: its checksum."""
    number = 0
    for character in text:
        number = number * 58 + BASE58.index(character)
    data = number.to_bytes(25, "big") if number < 1 << 200 else b""
    return hashlib.sha256(hashlib.sha256(data[:-4]).digest()).digest()[:4] == data[-4:] and bool(data)


def aadhaar(text: str) -> bool:
    """Accept an Indian Aadhaar number: twelve digits with the check digit of Verhoeff."""
    check = 0
    for place, digit in enumerate(reversed(digits(text))):
        check = int(VERHOEFF[check][int(VERHOEFF_TURNS[place % 8][int(digit)])])
    return check == 0 and several(text)


def spanish(text: str) -> bool:
    """Accept a Spanish NIF or NIE: its letter."""
    plain = text.replace("-", "").upper()
    number = plain[:-1].translate(str.maketrans("XYZ", "012"))
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(number) % 23] == plain[-1]


def finnish(text: str) -> bool:
    """Accept a Finnish personal identity code: its check character."""
    return "0123456789ABCDEFHJKLMNPRSTUVWXY"[int(digits(text[:6] + text[7:10])) % 31] == text[10].upper()


def pesel(text: str) -> bool:
    """Accept a Polish PESEL: day of birth and check digit."""
    month = int(text[2:4]) % 20
    return 1 <= month <= 12 and 1 <= int(text[4:6]) <= 31 and weighted(text, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)) % 10 == 0


def turkish(text: str) -> bool:
    """Accept a Turkish identity number: its two check digits."""
    n = [int(digit) for digit in text]
    return (sum(n[0:9:2]) * 7 - sum(n[1:8:2])) % 10 == n[9] and sum(n[:10]) % 10 == n[10]


def south_african(text: str) -> bool:
    """Accept a South African id: day of birth, Luhn."""
    return (is_day("19" + text[:6]) or is_day("20" + text[:6])) and luhn(text) and several(text)


def thai(text: str) -> bool:
    """Accept a Thai identity number: thirteen digits with check digit."""
    numbers = digits(text)
    return several(text) and (11 - weighted(numbers, range(13, 1, -1)) % 11) % 10 == int(numbers[12])


def brazilian(text: str) -> bool:
    """Accept a Brazilian CPF: its two check digits."""
    numbers = digits(text)
    first = weighted(numbers[:9], range(10, 1, -1)) * 10 % 11 % 10
    second = weighted(numbers[:10], range(11, 1, -1)) * 10 % 11 % 10
    return numbers[9:] == f"{first}{second}"


def social_security(text: str) -> bool:
    """Accept a US social security number: areas and groups that are given out."""
    numbers = digits(text)
    return numbers[:3] not in ("000", "666") and numbers[3:5] != "00" and numbers[5:] != "0000" and several(text)


def phone(text: str) -> bool:
    """Accept an international phone number: 8 to 15 digits (E.164)."""
    return 8 <= len(digits(text)) <= 15 and several(text)
