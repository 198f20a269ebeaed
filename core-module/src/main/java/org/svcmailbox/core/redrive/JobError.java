package org.svcmailbox.core.redrive;

import org.svcmailbox.core.envelope.MsgId;

/** The error of a letter that a job could not move, as a sentence for people. */
public record JobError(MsgId msgId, String detail) {}
