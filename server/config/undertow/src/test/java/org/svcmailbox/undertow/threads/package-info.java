@NullMarked
package org.svcmailbox.undertow.threads;

import org.jspecify.annotations.NullMarked;
