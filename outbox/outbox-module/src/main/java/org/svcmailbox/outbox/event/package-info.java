/**
 * The events that an application records, the subjects they are published under, and the rules they
 * must keep. Depends on no other package of the library.
 */
@NullMarked
package org.svcmailbox.outbox.event;

import org.jspecify.annotations.NullMarked;
