package org.svcmailbox.web.capability;

/** The id of the root key that is minted with from now on. */
record RotateResponse(String keyId) {}
