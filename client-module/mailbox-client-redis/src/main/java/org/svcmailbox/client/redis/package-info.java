/**
 * A mailbox on Redis: four keys with one hash tag, one Lua script for each step, and Redis' own
 * clock.
 *
 * <p>A message is in the data hash from its send to its acknowledgement, and all that time in
 * exactly one of the pending list and the invisible set. A script moves it from one to the other,
 * so no crash of a client or of Redis leaves it in neither.
 */
@NullMarked
package org.svcmailbox.client.redis;

import org.jspecify.annotations.NullMarked;
