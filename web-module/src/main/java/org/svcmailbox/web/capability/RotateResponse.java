package org.svcmailbox.web.capability;

/** The id of the new minting key. */
record RotateResponse(String keyId) {}
