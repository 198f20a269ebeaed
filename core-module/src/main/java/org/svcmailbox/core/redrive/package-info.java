/**
 * Jobs that redrive or discard dead letters: their records and store, what operators call, and the
 * port that moves letters. Invariants: a job's letters are fixed at its start; its row names the
 * letters before their transaction commits, so that a recovery counts exactly.
 */
@NullMarked
package org.svcmailbox.core.redrive;

import org.jspecify.annotations.NullMarked;
