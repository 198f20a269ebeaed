/**
 * Names the request that a thread works for in the log. Invariant: a thread that has done its part
 * of a request says nothing of it any more.
 */
@NullMarked
package org.svcmailbox.undertow.log;

import org.jspecify.annotations.NullMarked;
