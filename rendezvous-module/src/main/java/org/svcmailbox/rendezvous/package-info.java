/**
 * The rendezvous door over HTTP. Invariants: the checks run in the order that docs/RENDEZVOUS.md
 * gives; no thread waits for a client or for a message; a message that was handed over is settled
 * exactly once, as written or as failed; nothing of a body is ever decoded.
 */
@NullMarked
package org.svcmailbox.rendezvous;

import org.jspecify.annotations.NullMarked;
