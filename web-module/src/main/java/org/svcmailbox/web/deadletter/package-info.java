/** Dead letters over HTTP: list, group, read. */
@NullMarked
package org.svcmailbox.web.deadletter;

import org.jspecify.annotations.NullMarked;
