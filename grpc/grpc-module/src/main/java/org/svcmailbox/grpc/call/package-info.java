/**
 * The calls: each one is bounded, then authenticated, then read. Invariant: no thread waits for a
 * commit.
 */
@NullMarked
package org.svcmailbox.grpc.call;

import org.jspecify.annotations.NullMarked;
