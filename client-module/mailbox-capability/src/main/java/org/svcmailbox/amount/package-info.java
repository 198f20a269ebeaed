/** Durations and sizes as text, for the service and its clients: one syntax in every place. */
@NullMarked
package org.svcmailbox.amount;

import org.jspecify.annotations.NullMarked;
