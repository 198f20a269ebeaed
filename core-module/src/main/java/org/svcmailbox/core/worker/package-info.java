/**
 * The workers, each of which owns its shards from SEND to ACK. Invariants: a message has at most
 * one live lease; answers follow the commit; messages of a broken session return to the broker.
 * Only commands cross into a worker, and its inbox is bounded. Its classes use each other without
 * cycles.
 */
@NullMarked
package org.svcmailbox.core.worker;

import org.jspecify.annotations.NullMarked;
