"""BIP-39 seeds, SLIP-0010, Ed25519 (RFC 8032) and addresses (docs/TRANSACTION.md). This code is only for the
vectors: it is slow, and its running time depends on secrets."""
import hashlib, hmac, unicodedata

P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
HARDENED = 2**31


def sha3(*parts):
    return hashlib.sha3_256(b"".join(parts)).digest()


def bip39(mnemonic, passphrase=""):
    words, salt = (unicodedata.normalize("NFKD", each).encode() for each in (mnemonic, "mnemonic" + passphrase))
    return hashlib.pbkdf2_hmac("sha512", words, salt, 2048)


def slip10(seed, path):
    """Returns the private key and the chain code at a path of hardened indexes."""
    both = hmac.digest(b"ed25519 seed", seed, "sha512")
    for index in path:
        data = b"\0" + both[:32] + (index + HARDENED).to_bytes(4, "big")
        both = hmac.digest(both[32:], data, "sha512")
    return both[:32], both[32:]


def account_key(seed, account):
    return slip10(seed, (44, 883, account))[0]


def add(a, b):
    """Adds two points in extended homogeneous coordinates (RFC 8032 §5.1.4)."""
    (x1, y1, z1, t1), (x2, y2, z2, t2) = a, b
    e, f = (y1 - x1) * (y2 - x2), (y1 + x1) * (y2 + x2)
    g, h = 2 * t1 * t2 * D, 2 * z1 * z2
    e, f, g, h = f - e, h - g, h + g, f + e
    return e * f % P, g * h % P, f * g % P, e * h % P


def base_point():
    y = 4 * pow(5, -1, P) % P
    square = (y * y - 1) * pow(D * y * y + 1, -1, P)
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    x = P - x if x % 2 else x
    return x, y, 1, x * y % P


def times(scalar):
    """Returns a multiple of the base point in its encoding."""
    result, power = (0, 1, 1, 0), BASE
    while scalar:
        if scalar & 1:
            result = add(result, power)
        power, scalar = add(power, power), scalar >> 1
    x, y, z, _ = result
    inverse = pow(z, -1, P)
    return (y * inverse % P | (x * inverse % P & 1) << 255).to_bytes(32, "little")


BASE = base_point()


def expand(key):
    digest = hashlib.sha512(key).digest()
    return int.from_bytes(digest[:32], "little") & (1 << 254) - 8 | 1 << 254, digest[32:]


def reduced(*parts):
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % L


def public_key(key):
    return times(expand(key)[0])


def sign(key, message, nonce=None):
    scalar, prefix = expand(key)
    nonce = reduced(prefix, message) if nonce is None else nonce % L
    point = times(nonce)
    return point + ((nonce + reduced(point, times(scalar), message) * scalar) % L).to_bytes(32, "little")


def address(key):
    value = int.from_bytes(key + sha3(key, b"ZBC")[:3], "big")
    digits = ["ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[value >> 5 * i & 31] for i in reversed(range(56))]
    return "_".join(["ZBC"] + ["".join(digits[i : i + 8]) for i in range(0, 56, 8)])
