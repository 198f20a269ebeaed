/** What stands before every door: the headers that come in and the headers that go out. */
@NullMarked
package org.svcmailbox.web.http;

import org.jspecify.annotations.NullMarked;
