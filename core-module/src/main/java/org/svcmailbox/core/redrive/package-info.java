/**
 * Jobs that bring dead letters back or discard them, and single letters that are sent again with
 * something changed. Invariants: what a job may touch is fixed when it is made; a letter leaves its
 * queue in the transaction that puts what becomes of it where it belongs; a job's row says before a
 * transaction which letters it is about, so that a crash in between leaves no doubt.
 */
@NullMarked
package org.svcmailbox.core.redrive;

import org.jspecify.annotations.NullMarked;
