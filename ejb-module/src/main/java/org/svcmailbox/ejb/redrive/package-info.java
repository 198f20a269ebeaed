/** Jobs over dead letters in the database. */
@NullMarked
package org.svcmailbox.ejb.redrive;

import org.jspecify.annotations.NullMarked;
