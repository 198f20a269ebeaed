/** Searches for single messages. */
@NullMarked
package org.svcmailbox.web.message;

import org.jspecify.annotations.NullMarked;
