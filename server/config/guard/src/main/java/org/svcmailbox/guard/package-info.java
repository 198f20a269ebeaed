/**
 * Guards the application from outside: ends a process that has lost its application, and before a
 * start names page folders that a power cut left without a name. Invariant: nothing here depends on
 * the application's classes, nor the application on these.
 */
@NullMarked
package org.svcmailbox.guard;

import org.jspecify.annotations.NullMarked;
