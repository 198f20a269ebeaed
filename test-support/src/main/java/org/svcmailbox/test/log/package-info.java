/** The log of the code under test. */
@NullMarked
package org.svcmailbox.test.log;

import org.jspecify.annotations.NullMarked;
