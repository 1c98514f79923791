"""The inference process and its messages: native code runs there, so that its crash never takes the window down."""
