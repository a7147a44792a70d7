"""Pictures of hands: values in, PNG bytes out, with alternative texts that say the same.

Nothing here knows Discord, tables or chips. Render off the event loop: a picture takes milliseconds, and the
first one renders its sprites too.
"""
