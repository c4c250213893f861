"""Names, addresses, birthdays and codes in English text: what `chinese.LABELLED` takes out of Chinese.

A capital and a word beside them are not enough in English: titles, headings and products are written so too. A name is taken
behind a label that only people stand behind, or when it begins with a frequent given name; an address behind a word that
says whose it is, or with a postal code.
"""

from mfgit.redact.rules import rule

GIVEN = """
    James|John|Robert|Michael|William|David|Richard|Joseph|Thomas|Charles|Christopher|Daniel|Matthew|Anthony|Mark|Donald|Steven
    |Paul|Andrew|Joshua|Kenneth|Kevin|Brian|George|Edward|Ronald|Timothy|Jason|Jeffrey|Ryan|Jacob|Gary|Nicholas|Eric|Jonathan
    |Stephen|Larry|Scott|Brandon|Benjamin|Samuel|Gregory|Alexander|Frank|Patrick|Raymond|Jack|Dennis|Jerry|Tyler|Aaron|Adam
    |Nathan|Henry|Peter|Kyle|Simon|Oliver|Harry|Liam|Noah|Ethan|Mary|Patricia|Jennifer|Linda|Elizabeth|Barbara|Susan|Jessica
    |Sarah|Karen|Lisa|Nancy|Betty|Sandra|Margaret|Ashley|Kimberly|Emily|Donna|Michelle|Carol|Amanda|Melissa|Deborah|Stephanie
    |Rebecca|Laura|Sharon|Cynthia|Kathleen|Amy|Angela|Shirley|Anna|Brenda|Pamela|Emma|Nicole|Helen|Samantha|Katherine
    |Christine|Rachel|Carolyn|Janet|Catherine|Maria|Heather|Diane|Julie|Olivia|Joyce|Victoria|Kelly|Christina|Joan|Evelyn
    |Lauren|Alice|Jane|Julia|Sophia|Hannah|Megan|Andrea|Jacqueline|Martha|Gloria|Teresa|Sara|Madison|Charlotte|Grace|Lucy
    |Mohammed|Muhammad|Ahmed|Ali|Omar|Fatima|Priya|Raj|Jose|Juan|Carlos|Luis|Pedro|Ana|Sofia"""
"""Frequent given names (US Social Security Administration, all years; a few of other countries), but for words and months."""
WORD = r"[A-Z](?:['’][A-Z])?[a-z]+(?:[-'’][A-Z][a-z]+)?"
PARTICLES = r"(?:(?:van|von|de|der|den|del|da|di|la|le|al|bin|el)\ ){0,2}"
REST = rf"(?:\ [A-Z]\.?(?=\ ))?\ {PARTICLES}{WORD}"
"""What follows the first word of a name: an initial, small words, a surname."""
FULL = rf"{WORD}(?:{REST}){{1,2}}(?![A-Za-z])"
MONTHS = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
DAY = rf"""(?: (?:19|20)\d\d[-/.]\d{{1,2}}[-/.]\d{{1,2}} | (?:19|20)\d{{6}} | \d{{1,2}}[-/.]\d{{1,2}}[-/.](?:(?:19|20)\d\d|\d\d)
    | {MONTHS}\.?\ \d{{1,2}}(?:st|nd|rd|th)?(?:,?\ (?:19|20)\d\d)?
    | \d{{1,2}}(?:st|nd|rd|th)?[ -](?:of\ )?{MONTHS}\.?(?:[ ,-]{{1,2}}(?:19|20)\d\d)? )(?![\w])"""
KINDS = (
    "Street|Avenue|Road|Lane|Drive|Boulevard|Court|Place|Way|Square|Terrace|Parkway|Highway|Close|Crescent"
    "|St|Ave|Rd|Ln|Dr|Blvd|Ct|Pl|Sq|Pkwy|Hwy"
)
STREET = rf"""(?<![\w.-])\d{{1,5}}(?:-\d{{1,5}})?[A-Za-z]?,?\ (?:[NSEW]{{1,2}}\.?\ )?
    (?:(?:[A-Z][\w'’.-]{{0,20}}|\d{{1,3}}(?:st|nd|rd|th))\ ){{1,4}}(?:{KINDS})\b\.?"""
FLAT = r"(?:,?\s(?:Apartment|Apt|Suite|Ste|Unit|Flat|Floor|Room|\#)\.?\s?\#?[A-Za-z]?\d{1,5}[A-Za-z]?(?![\w]))"
TOWN = r"(?:,?\s[A-Z][a-z]+(?:[\ -][A-Z][a-z]+){0,2})"
POSTAL = r"(?:,?\s(?:[A-Z]{2}\s)?\d{5}(?:-\d{4})?(?!\d)|,?\s[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}(?![A-Za-z\d]))"
"""A postal code of the United States, with its state, or of the United Kingdom."""
CODES = (
    r"(?:(?:verification|security|confirmation|one[- ]time|log-?in|sign[- ]?in|authentication|auth|2fa|mfa|sms"
    r"|activation|access|unlock|door|gate)\s(?:pass)?(?:code|pin)|otp(?:\scode)?|passcode)"
)
SAYS = r"(?:\s{0,2}(?:\bis\b|\bwas\b|[:=])\s{0,2}|\s)"

ENGLISH = (
    rule(
        "code",
        "codes",
        rf"\b{CODES}{SAYS}[\"']?(?P<value>(?:[a-z]-)?\d{{4,8}}|\d{{3}}[ -]\d{{3}})(?![\w]|[.-]\d)",
        folded=True,
    ),
    rule(
        "code",
        "codes",
        r"\b(?:(?:my|your|his|her|the|card|bank|atm|sim)\s)?pin(?:\s(?:code|number))?\s{0,2}(?:\bis\b|\bwas\b|:)\s{0,2}[\"']?(?P<value>\d{4,8})(?![\w]|[.-]\d)",
        folded=True,
    ),
    rule(
        "code",
        "codes",
        rf"(?<![\w.-])(?P<value>(?:[a-z]-)?\d{{4,8}})(?=\sis\syour\s(?:[\w-]{{1,20}}\s){{0,3}}?(?:{CODES}|code|pin)\b"
        rf"|\sas\s(?:your|the)\s{CODES})",
        folded=True,
    ),
    rule(
        "name",
        "persons",
        rf"(?i:\bmy\ (?:full\ |real\ |legal\ )?name(?:\ is|['’]s|\s{{0,2}}[:=]))\s{{1,2}}"
        rf"(?P<value>{WORD}(?:{REST}){{0,2}})(?![A-Za-z])",
        hints="name Name NAME",
    ),
    rule(
        "name",
        "persons",
        rf"""(?i:\b(?:full\ name|legal\ name|recipient(?:\ name)?|(?:card|account)[ -]?holder(?:['’]?s?\ name)?
            |name\ on\ (?:the\ )?card
            |(?:customer|patient|contact|passenger|applicant|beneficiary|emergency\ contact)(?:\ name)?
            |ship(?:ping)?\ to|deliver(?:y)?\ to|attn|attention))\s{{0,2}}[:：]\s{{0,2}}(?:(?:Mr|Mrs|Ms|Dr|Prof)\.?\ )?
            (?!(?:United|New|Los|Las|San|North|South|East|West|The|Your|My|All|Customer|Support|Sales)\b)(?P<value>{FULL})""",
    ),
    rule(
        "name",
        "persons",
        rf"""(?:\b(?i:name)["']?\s{{0,2}}[:：=]\s{{0,2}}["']?|\bI['’]m\s|\b(?:[Rr]egards|[Ss]incerely|[Tt]hanks),\s{{1,2}})
            (?P<value>(?:{GIVEN}){REST})(?![A-Za-z])""",
    ),
    rule(
        "birthday",
        "births",
        rf"""\b(?:date\ of\ birth|birth\ ?-?date|d\.?o\.?b\.?|(?:my|his|her)\ birthday|birthday(?=\s{{0,2}}(?:is|was|:|=))
            |(?:i|he|she)(?:\ was|['’]m)?\ born)\b[^\n\d]{{0,10}}?(?P<value>{DAY})""",
        folded=True,
    ),
    rule(
        "address",
        "streets",
        rf"""(?i:\b(?:(?:ship(?:ped|ping)?|deliver(?:ed|y)?|send(?:ing)?|sent|mail(?:ed)?|post(?:ed)?|moved?)
                \s(?:\w{{1,12}}\s){{0,3}}?to
            | (?:home|shipping|mailing|billing|delivery|street|postal|residential|my|our|his|her)\ address
            | address(?=\s{{0,2}}(?:is\b|:))
            | (?:i|we|he|she)\ (?:live|lives|reside|resides|stay)\ (?:at|on|in) | living\ at | residing\ at | recipient | attn))
            (?:[^\d\n]|\n(?!\n)){{0,60}}?(?P<value>{STREET}{FLAT}?{TOWN}{{0,2}}{POSTAL}?)""",
    ),
    rule("address", "streets", rf"{STREET}(?:{FLAT}{TOWN}{{0,2}}{POSTAL}?|{TOWN}{{1,2}}{POSTAL})"),
)
"""Rules for personal data in English."""
