package org.svcmailbox.core.redrive;

import org.svcmailbox.core.envelope.MsgId;

/** The error of one letter that a job could not move, in a sentence for people. */
public record JobError(MsgId msgId, String detail) {}
