package org.svcmailbox.web.capability;

import org.svcmailbox.web.json.JsonRequest;

/** The empty JSON body of a rotation. */
record RotateRequest() implements JsonRequest {}
