/**
 * What changes, told as it does, for those who look on. Invariants: no thread waits for a client;
 * one that does not read misses events and is given up in the end; nobody is told anything whose
 * capability would not be good for asking.
 */
@NullMarked
package org.svcmailbox.web.event;

import org.jspecify.annotations.NullMarked;
