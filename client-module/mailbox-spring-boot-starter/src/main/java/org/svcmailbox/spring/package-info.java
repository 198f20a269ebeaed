/** Mailboxes and listeners for a Spring Boot application. */
@NullMarked
package org.svcmailbox.spring;

import org.jspecify.annotations.NullMarked;
