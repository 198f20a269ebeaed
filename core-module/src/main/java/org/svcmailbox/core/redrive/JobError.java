package org.svcmailbox.core.redrive;

import org.svcmailbox.core.envelope.MsgId;

/**
 * Why a job left a letter where it was.
 *
 * @param detail a sentence for people
 */
public record JobError(MsgId msgId, String detail) {}
