/**
 * What a message is: its ids, its names, its hashes. Every value is checked where it is made and
 * immutable after; nothing here knows a container, a broker or a clock.
 */
@NullMarked
package org.svcmailbox.core.envelope;

import org.jspecify.annotations.NullMarked;
