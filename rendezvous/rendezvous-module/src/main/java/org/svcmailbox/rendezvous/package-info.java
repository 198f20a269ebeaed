/**
 * The rendezvous door over HTTP. Invariants: checks run in the order of docs/RENDEZVOUS.md; no
 * thread waits for a client or a message. Each handed-over message is settled exactly once, as
 * written or failed; bodies are never decoded.
 */
@NullMarked
package org.svcmailbox.rendezvous;

import org.jspecify.annotations.NullMarked;
