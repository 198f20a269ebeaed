/**
 * The mailbox as a whole: hands calls to the workers, administers topics, counts and purges.
 * Invariants: every call goes to the one worker of its shard; every run of a purge is bounded in
 * time; classes use each other without cycles.
 */
@NullMarked
package org.svcmailbox.core.mailbox;

import org.jspecify.annotations.NullMarked;
