/**
 * The server's users and their passwords. Invariants: the file of passwords is only replaced as a
 * whole, by one writer at a time; no password is logged.
 */
@NullMarked
package org.svcmailbox.console.users;

import org.jspecify.annotations.NullMarked;
