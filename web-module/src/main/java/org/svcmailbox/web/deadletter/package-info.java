/** The dead letters over HTTP: to find them, to see what they have in common, to read one. */
@NullMarked
package org.svcmailbox.web.deadletter;

import org.jspecify.annotations.NullMarked;
