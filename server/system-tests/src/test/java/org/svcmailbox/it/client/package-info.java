/** A client of the JSON door: typed calls, and answers as they came. */
@NullMarked
package org.svcmailbox.it.client;

import org.jspecify.annotations.NullMarked;
