/**
 * Answers that last, which the application marks by an attribute of the request. Such an answer may
 * be read slowly, is not held for its writer, and ends at once when the application wants that.
 */
@NullMarked
package org.svcmailbox.undertow.stream;

import org.jspecify.annotations.NullMarked;
