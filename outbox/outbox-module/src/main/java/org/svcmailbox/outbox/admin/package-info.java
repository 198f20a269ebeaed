/** Questions and changes of operators. Each change names its author and leaves a record. */
@NullMarked
package org.svcmailbox.outbox.admin;

import org.jspecify.annotations.NullMarked;
