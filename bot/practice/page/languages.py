"""The languages that a person can set on the page: those of Discord in which there are players."""

from typing import Final

LANGUAGES: Final = {
    "en-US": "English, US",
    "en-GB": "English, UK",
    "zh-CN": "简体中文",
    "zh-TW": "繁體中文",
    "de": "Deutsch",
    "ja": "日本語",
}
"""The name of each language in that language, by Discord's locale."""
