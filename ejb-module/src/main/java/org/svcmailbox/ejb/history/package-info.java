/** The minutes of the history in the database. */
@NullMarked
package org.svcmailbox.ejb.history;

import org.jspecify.annotations.NullMarked;
