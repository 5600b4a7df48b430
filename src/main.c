#include <stdio.h>

int main(void)
{
	(void)puts("bellhop");
	return 0;
}
