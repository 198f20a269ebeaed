@NullMarked
package org.svcmailbox.undertow.log;

import org.jspecify.annotations.NullMarked;
