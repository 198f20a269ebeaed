/**
 * Answers that last, as the application says by an attribute of the request. Such an answer may be
 * read slowly, is not held for its writer, and is ended at once when the application wants that.
 */
@NullMarked
package org.svcmailbox.undertow.stream;

import org.jspecify.annotations.NullMarked;
