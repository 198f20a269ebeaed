/** Questions of operators: how much waits, and since when. */
@NullMarked
package org.svcmailbox.outbox.admin;

import org.jspecify.annotations.NullMarked;
