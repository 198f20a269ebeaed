package org.svcmailbox.web.capability;

import org.svcmailbox.web.json.JsonRequest;

/** The body of a rotation, which has nothing to say. */
record RotateRequest() implements JsonRequest {}
