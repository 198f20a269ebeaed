/**
 * A mailbox on Redis: four keys with one hash tag, one Lua script for each step, and Redis' own
 * clock.
 *
 * <p>From its send to its acknowledgement a message is in the data hash, and in either the pending
 * list or the invisible set. A script moves it between the two in one step, so no crash of a client
 * or of Redis loses it from both.
 */
@NullMarked
package org.svcmailbox.client.redis;

import org.jspecify.annotations.NullMarked;
