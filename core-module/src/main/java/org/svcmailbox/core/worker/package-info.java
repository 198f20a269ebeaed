/**
 * The workers, each of which owns its shards from SEND to ACK. Only commands cross into a worker;
 * everything else is on its thread unless a class says otherwise. Invariants: messages of a broken
 * session return to the broker; other packages use only the pool, its ports and the commands.
 * Packages and classes have no cycles.
 */
@NullMarked
package org.svcmailbox.core.worker;

import org.jspecify.annotations.NullMarked;
