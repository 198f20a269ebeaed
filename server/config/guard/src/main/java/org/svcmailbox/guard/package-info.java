/**
 * Guards the application from outside: ends a process that has lost its application. Invariant:
 * nothing here depends on the application's classes, and the application does not depend on these.
 */
@NullMarked
package org.svcmailbox.guard;

import org.jspecify.annotations.NullMarked;
